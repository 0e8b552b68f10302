#!/usr/bin/env bash
# Debian's Chromium for the runtime matrix, installed only when there is none. Needs apt and root.
set -euo pipefail
if command -v chromium >/dev/null; then
  chromium --version
  exit 0
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
chromium --version
