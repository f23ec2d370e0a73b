import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/**
 * Packages with native code or WebAssembly. They are dependencies of the published package and not
 * part of the bundle.
 */
export const nativePackages = ['@mediabunny/aac-encoder', '@napi-rs/canvas', 'sharp'] as const

/** Optional package, which the program uses if an operator has installed it. */
export const optionalPackage = '@napi-rs/webcodecs'

/** Packages that are never installed: `pg` tries to load this one and works without it. */
const absentPackages = ['pg-native']

/**
 * The expression with which code refers to a file or folder that it reads or starts: `new
 * URL('./name', import.meta.url)`.
 */
const fileReferencePattern = /new URL\('([^']+)', import\.meta\.url\)/g

export interface BundledProgram {
  /** Every source file in the bundle. */
  modules: readonly string[]
  /**
   * Files and folders to copy into the folder of the bundle. The key is the path in that folder,
   * the value the absolute path of the source.
   */
  assets: ReadonlyMap<string, string>
}

/**
 * Writes the program with its dependencies as JavaScript into a folder: `main.js`, one file for
 * each thread and child process, and the chunks that they share, all directly in that folder.
 */
export async function bundleProgram(folder: string): Promise<BundledProgram> {
  const assets = new Map<string, string>()
  await using bundle = await rolldown({
    input: { main },
    platform: 'node',
    external: [...nativePackages, optionalPackage, ...absentPackages],
    plugins: [moveReferencedFiles(assets), escapeNonAsciiCharacters],
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  return { assets, modules: chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => path.isAbsolute(id)) }
}

/**
 * Adds the files that the code starts as threads or child processes to the bundle, and collects the
 * other files that it reads. All of them end up in the output folder of the code.
 */
function moveReferencedFiles(assets: Map<string, string>): Plugin {
  return {
    name: 'move-referenced-files',
    transform: {
      filter: { id: /\/packages\/.*\.ts$/, code: 'import.meta.url' },
      handler(code, id) {
        return code.replace(fileReferencePattern, (_, relativePath: string) => {
          const source = path.resolve(path.dirname(id), relativePath)
          const name = path.basename(relativePath)
          if (!name.endsWith('.ts')) {
            // Assets are named by parent folder and name, such as `migrations/sqlite`.
            const assetName = path.join(path.basename(path.dirname(source)), name)
            assets.set(assetName, source)
            return `new URL('./${assetName}${relativePath.endsWith('/') ? '/' : ''}', import.meta.url)`
          }
          const fileName = name.replace(/\.ts$/, '.js')
          this.emitFile({ type: 'chunk', id: source, fileName })
          return `new URL('./${fileName}', import.meta.url)`
        })
      },
    },
  }
}

/**
 * Escapes non-ASCII characters, because Node loads pure ASCII code faster and keeps it in half the
 * memory.
 */
const escapeNonAsciiCharacters: Plugin = {
  name: 'escape-non-ascii-characters',
  renderChunk: (code) => code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
}
