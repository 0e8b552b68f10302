# Debian packages for scripts that source this. Downloads are tried again, as mirrors change while they are read and
# other programs hold the lock; what is downloaded is installed once. Needs apt and root.

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# apt_install PACKAGE...
apt_install() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
  local install=(install -y --no-install-recommends "$@")
  local tries pause=5
  for tries in 1 2 3; do
    if as_root "${apt[@]}" update && as_root "${apt[@]}" "${install[@]}" --download-only; then break; fi
    if [[ $tries -eq 3 ]]; then
      echo "apt-get could not download $*: its reasons are above."
      return 1
    fi
    echo "apt-get could not download $*: once more in $pause s ($tries of 3 failed)"
    sleep "$pause"
    pause=$((2 * pause))
  done
  as_root "${apt[@]}" "${install[@]}"
}
