import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from './build-once.ts'
import { buildProgramPackage } from './build-program-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Folder of a built program to use. If it is set, nothing is built. */
export const prebuiltFolder = process.env['FRAMEGATE_BUILT_PROGRAM']
/** Folder of the built package `framegate`. */
export const builtFolder = prebuiltFolder ?? path.join(root, 'packages/cli/dist')
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

/** Launcher of the built program. */
export const builtLauncher = path.join(builtFolder, 'bin/framegate.js')

/** Builds the program unless it is up to date. */
export async function ensureBuiltProgram(): Promise<void> {
  if (prebuiltFolder !== undefined) return
  await buildOnce({
    folder: builtFolder,
    builtFile: builtLauncher,
    stampFile: path.join(root, '.tmp/built-program'),
    inputs,
    build: buildProgramPackage,
  })
}
