#!/usr/bin/env bash
# Debian's Chromium for the runtime matrix, installed only when there is none. Needs apt and root.
set -euo pipefail
if command -v chromium >/dev/null; then
  chromium --version
  exit 0
fi
source "$(dirname "${BASH_SOURCE[0]}")/apt.sh"
apt_install chromium
chromium --version
