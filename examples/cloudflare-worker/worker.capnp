using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "dist/worker.js"),
    (name = "chacha20-poly1305.columns.wasm", wasm = embed "dist/chacha20-poly1305.columns.wasm"),
  ],
  bindings = [(name = "AEAD_KEY", fromEnvironment = "AEAD_KEY")],
  compatibilityDate = "2026-11-01",
);
