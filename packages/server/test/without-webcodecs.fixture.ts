import { registerHooks } from 'node:module'

// Loaded into a process by `--import` to hide the webcodecs package, as if it were not installed.
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('@napi-rs/webcodecs')) return nextResolve(specifier, context)
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
  },
})
