import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtFolder } from '../build/built-program.ts'

/** A thread or child process that a file starts: `new URL('./name.ts', import.meta.url)`. */
const startedFilePattern = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g
const sourcePattern = /\/packages\/\w+\/src\//

/**
 * Tests load the service from its sources. The threads and child processes that it starts are those
 * of the built program, because each of them would load hundreds of source files anew.
 */
function startBuiltThreads(): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!sourcePattern.test(url) || loaded.source === undefined || loaded.source === null) return loaded
      const source = Buffer.from(loaded.source as Buffer)
      if (!source.includes('import.meta.url')) return loaded
      return { ...loaded, source: source.toString().replaceAll(startedFilePattern, builtUrl) }
    },
  })
}

/** Keeps the URL of a file that is not an entry of the built program. */
function builtUrl(expression: string, name: string): string {
  const file = path.join(builtFolder, 'lib', `${name}.js`)
  return existsSync(file) ? `new URL(${JSON.stringify(pathToFileURL(file).href)})` : expression
}

// Vitest imports this file for each test file, also in a process that runs several.
const started = Symbol.for('framegate.builtThreads')
const shared = globalThis as { [started]?: true }
if (shared[started] === undefined) {
  shared[started] = true
  startBuiltThreads()
}
