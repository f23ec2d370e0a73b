import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgramPackage } from './build-program-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = path.join(root, 'packages/cli/dist')
/** Identifies the sources from which the folder was built. */
const stamp = path.join(root, '.tmp/built-program')
const inputs = [
  'packages/cli',
  'packages/contract',
  'packages/renderer/src',
  'packages/sdk/src',
  'packages/server',
  'tools/build',
  'package-lock.json',
  'LICENSE',
]
const ignoredFolders = new Set(['node_modules', 'dist', 'test'])

/** The launcher of the built program. */
export const builtLauncher = path.join(folder, 'bin/framegate.js')

/** Builds the program unless it was built from the same sources. */
export async function ensureBuiltProgram(): Promise<void> {
  const wanted = stateOfInputs()
  if (existsSync(builtLauncher) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(stamp, { force: true })
  const fresh = `${folder}.${process.pid}`
  await buildProgramPackage(fresh)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

function stateOfInputs(): string {
  const state = createHash('sha256')
  for (const input of inputs) {
    for (const file of filesOf(path.join(root, input))) {
      const { mtimeMs, size } = statSync(file)
      state.update(`${file} ${mtimeMs} ${size}\n`)
    }
  }
  return state.digest('hex')
}

function* filesOf(file: string): Generator<string> {
  if (!statSync(file).isDirectory()) {
    yield file
    return
  }
  for (const name of readdirSync(file).toSorted()) if (!ignoredFolders.has(name)) yield* filesOf(path.join(file, name))
}
