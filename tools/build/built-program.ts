import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgramPackage } from './build-program-package.ts'
import { stateOfFiles } from './state-of-files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** If set, this built program is used, and nothing is built. */
const prebuiltFolder = process.env['FRAMEGATE_BUILT_PROGRAM']
/** Folder of the built package `framegate`. */
export const builtFolder = prebuiltFolder ?? path.join(root, 'packages/cli/dist')
/** Identifies the sources from which the folder was built. */
const stampFile = path.join(root, '.tmp/built-program')
const inputs = [
  'packages/cli',
  'packages/console',
  'packages/contract',
  'packages/renderer/src',
  'packages/sdk/src',
  'packages/server',
  'tools/build',
  'package-lock.json',
  'LICENSE',
]

/** The launcher of the built program. */
export const builtLauncher = path.join(builtFolder, 'bin/framegate.js')

/** Builds the program unless it was built from the same sources. */
export async function ensureBuiltProgram(): Promise<void> {
  if (prebuiltFolder !== undefined) return
  const inputState = stateOfFiles(inputs)
  if (existsSync(builtLauncher) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputState) return
  rmSync(stampFile, { force: true })
  const newFolder = `${builtFolder}.${process.pid}`
  await buildProgramPackage(newFolder)
  rmSync(builtFolder, { recursive: true, force: true })
  renameSync(newFolder, builtFolder)
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, inputState)
}
