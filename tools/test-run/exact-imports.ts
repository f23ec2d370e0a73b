import { registerHooks } from 'node:module'

/** Pattern of relative imports, which the sources write with the exact file name. */
const exactPattern = /^\.\.?\/.*\.ts$/

/**
 * Resolves imports of exact file names without a search. Vitest also resolves imports, and reports
 * each of them to its main process, which needs the reports in watch mode only.
 */
export function resolveExactImports(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL } = context
      if (parentURL === undefined || parentURL.includes('/node_modules/') || !exactPattern.test(specifier))
        return nextResolve(specifier, context)
      return { url: new URL(specifier, parentURL).href, shortCircuit: true }
    },
  })
}
