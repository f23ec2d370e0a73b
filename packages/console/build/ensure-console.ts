import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stateOfFiles } from '../../../tools/build/state-of-files.ts'
import { buildConsole } from './build-console.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const builtFolder = path.join(root, 'packages/console/dist')
/** Identifies the sources from which the folder was built. */
const stampFile = path.join(root, '.tmp/built-console')
const inputs = ['packages/console', 'package-lock.json']

/** Builds the console into its folder `dist`, unless it was built from the same sources. */
export async function ensureConsole(): Promise<void> {
  const inputState = stateOfFiles(inputs)
  const isBuilt = existsSync(path.join(builtFolder, 'manifest.json')) && existsSync(stampFile)
  if (isBuilt && readFileSync(stampFile, 'utf8') === inputState) return
  rmSync(stampFile, { force: true })
  const newFolder = `${builtFolder}.${process.pid}`
  await buildConsole(newFolder)
  rmSync(builtFolder, { recursive: true, force: true })
  renameSync(newFolder, builtFolder)
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, inputState)
}
