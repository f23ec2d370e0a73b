import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk, type RolldownOutput } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const hashCharacters = 8

/** Source files in the bundle, for the third-party notices. */
export interface BuiltConsole {
  modules: readonly string[]
}

/**
 * Writes the console into a folder: `files/` with scripts and one style sheet, whose names contain
 * a hash of their content, and `manifest.json` with the names that the page needs.
 */
export async function buildConsole(folder: string): Promise<BuiltConsole> {
  rmSync(folder, { recursive: true, force: true })
  const filesFolder = path.join(folder, 'files')
  mkdirSync(filesFolder, { recursive: true })
  const app = await bundle('src/main.tsx', filesFolder, 'esm')
  // A classic script in the head runs before the page is drawn, so that its theme does not flash.
  const theme = await bundle('src/shell/theme-boot.ts', filesFolder, 'iife')
  const style = writeStyle(filesFolder)
  const entry = entryOf(app)
  const manifest = { theme: entryOf(theme).fileName, script: entry.fileName, style, preloads: entry.imports }
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
  return { modules: [app, theme].flatMap(({ output }) => output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))) }
}

async function bundle(input: string, dir: string, format: 'esm' | 'iife'): Promise<RolldownOutput> {
  await using bundle = await rolldown({
    input: path.join(root, input),
    platform: 'browser',
    // The container image is built without a tsconfig.
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  })
  return await bundle.write({
    dir,
    format,
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    // Puts code shared by several pages into one file, because each file is a request of the first
    // load.
    ...(format === 'esm' && { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } }),
  })
}

function entryOf({ output }: RolldownOutput): OutputChunk {
  return output[0]
}

/**
 * Joins the style sheets. Their cascade layers define which rule wins, so their order does not
 * matter.
 */
function writeStyle(filesFolder: string): string {
  const files = [
    path.join(root, 'src/styles/layers.css'),
    ...globSync('src/**/*.css', { cwd: root })
      .toSorted()
      .map((file) => path.join(root, file)),
  ]
  const css = [...new Set(files)]
    .map((file) =>
      readFileSync(file, 'utf8')
        .replaceAll(/\/\*[^]*?\*\//g, '')
        .replaceAll(/\n\s*/g, '\n'),
    )
    .join('\n')
  const name = `style-${hash('sha256', css, 'base64url').slice(0, hashCharacters)}.css`
  writeFileSync(path.join(filesFolder, name), css)
  return name
}
