/** A Vite plugin: writes .gz and .br beside every text file of the build, for the console to serve. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|html|svg|json)$/;
/** Below this size a packet holds the file either way. */
const MIN_BYTES = 1024;

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < MIN_BYTES) return;
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, brotli));
}

export function precompress(): Plugin {
  let folder = "dist";
  return {
    name: "keyrack-precompress",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true });
      await Promise.all(
        entries.filter((name) => TEXT.test(name)).map((name) => compress(join(folder, name))),
      );
    },
  };
}
