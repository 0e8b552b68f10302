#!/usr/bin/env bash
# Debian's nginx, sshd and OpenVPN for the tests of protocol settings, installed only where one is missing. Needs apt
# and root. Nothing is started: the tests start each server themselves, on a port and in a folder of their own.
set -euo pipefail
# Servers live in sbin, which the path of an ordinary user lacks.
PATH=$PATH:/usr/sbin:/usr/local/sbin

source "$(dirname "${BASH_SOURCE[0]}")/apt.sh"

missing=()
command -v openssl >/dev/null || missing+=(openssl)
command -v nginx >/dev/null || missing+=(nginx-light)
command -v sshd >/dev/null || missing+=(openssh-server)
command -v ssh >/dev/null || missing+=(openssh-client)
command -v openvpn >/dev/null || missing+=(openvpn)

if [[ ${#missing[@]} -gt 0 ]]; then
  policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    # 101: "action forbidden", which package scripts take as "do not start".
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    trap 'as_root rm -f "$policy"' EXIT
    as_root chmod 755 "$policy"
  fi
  apt_install "${missing[@]}"
fi

openssl version
nginx -v 2>&1
ssh -V 2>&1
openvpn --version | sed -n 1p
