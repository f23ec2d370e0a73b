import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from '../../../tools/build/build-once.ts'
import { buildConsole } from './build-console.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const builtFolder = path.join(root, 'packages/console/dist')

/** Builds the console into its folder `dist`, unless it is up to date. */
export async function ensureConsole(): Promise<void> {
  await buildOnce({
    folder: builtFolder,
    builtFile: path.join(builtFolder, 'manifest.json'),
    stampFile: path.join(root, '.tmp/built-console'),
    inputs: ['packages/console', 'package-lock.json'],
    build: async (newFolder) => {
      await buildConsole(newFolder)
    },
  })
}
