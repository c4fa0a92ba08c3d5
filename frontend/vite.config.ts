import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { precompress } from "./scripts/precompress.ts";

// Where `npm run dev` finds the console's API.
const consoleUrl = process.env["KEYRACK_URL"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react(), precompress()],
  server: {
    proxy: Object.fromEntries(
      ["/api", "/agent", "/healthz", "/readyz"].map((path) => [path, { target: consoleUrl }]),
    ),
  },
  build: {
    target: "es2023",
    // The content security policy allows no data: fonts, and inlined files would grow the first load.
    assetsInlineLimit: 0,
    // In kB before compression; the chart library, loaded only where there is a chart, is the largest.
    chunkSizeWarningLimit: 600,
    // A polyfill would be an inline-like extra; every supported browser preloads modules itself.
    modulePreload: { polyfill: false },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    testTimeout: 20_000,
  },
});
