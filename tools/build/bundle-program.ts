import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/**
 * Packages with native code or WebAssembly. They are installed with the program instead of being part
 * of it.
 */
export const nativePackages = ['@mediabunny/aac-encoder', '@napi-rs/canvas', 'sharp'] as const

/** Used where an operator has installed it beside the program. */
export const optionalPackage = '@napi-rs/webcodecs'

/** Not installed: `pg` tries to load it, and works without it. */
const absentPackages = ['pg-native']

/** A file or folder that is read at runtime: `new URL('./name', import.meta.url)`. */
const neighborPattern = /new URL\('([^']+)', import\.meta\.url\)/g

export interface BundledProgram {
  /** Every source file in the bundle. */
  modules: readonly string[]
  /** Files and folders to copy into the folder of the code: absolute source by relative name. */
  assets: ReadonlyMap<string, string>
}

/**
 * Writes the program with its dependencies as JavaScript into a folder: `main.js`, one entry for
 * each thread and child process, and the chunks they share, all at one level.
 */
export async function bundleProgram(folder: string): Promise<BundledProgram> {
  const assets = new Map<string, string>()
  await using bundle = await rolldown({
    input: { main },
    platform: 'node',
    external: [...nativePackages, optionalPackage, ...absentPackages],
    plugins: [movedNeighbors(assets)],
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  return { assets, modules: chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => path.isAbsolute(id)) }
}

/**
 * Bundles the files that a file starts as threads or child processes, and collects the files that
 * it reads. In the output all of them are next to the code.
 */
function movedNeighbors(assets: Map<string, string>): Plugin {
  return {
    name: 'moved-neighbors',
    transform: {
      filter: { id: /\/packages\/.*\.ts$/, code: 'import.meta.url' },
      handler(code, id) {
        return code.replace(neighborPattern, (_, relative: string) => {
          const source = path.resolve(path.dirname(id), relative)
          const name = path.basename(relative)
          if (!name.endsWith('.ts')) {
            // Two folders of migrations have the same parent, so assets are named by folder and
            // file.
            const assetName = path.join(path.basename(path.dirname(source)), name)
            assets.set(assetName, source)
            return `new URL('./${assetName}${relative.endsWith('/') ? '/' : ''}', import.meta.url)`
          }
          const fileName = name.replace(/\.ts$/, '.js')
          this.emitFile({ type: 'chunk', id: source, fileName })
          return `new URL('./${fileName}', import.meta.url)`
        })
      },
    },
  }
}
