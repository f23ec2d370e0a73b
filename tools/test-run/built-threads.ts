import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtFolder } from '../build/built-program.ts'

/**
 * The expression with which a file refers to a thread or child process: `new URL('./name.ts',
 * import.meta.url)`.
 */
const startedFilePattern = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g
const sourcePattern = /\/packages\/\w+\/src\//

/**
 * Tests load the service from its sources. The service then starts the threads and child processes
 * of the built program, because each of them would otherwise load hundreds of source files again.
 */
export function startBuiltThreads(): void {
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

/** A URL stays the same if the built program has no such entry. */
function builtUrl(expression: string, name: string): string {
  const file = path.join(builtFolder, 'lib', `${name}.js`)
  return existsSync(file) ? `new URL(${JSON.stringify(pathToFileURL(file).href)})` : expression
}
