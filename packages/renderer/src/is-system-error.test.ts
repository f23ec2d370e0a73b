import { expect, it } from 'vitest'
import { isSystemError } from './is-system-error.ts'

it.each([
  ['a full disk', Object.assign(new Error('ENOSPC: no space left on device'), { errno: -28, syscall: 'write' }), true],
  ['a thread without memory', Object.assign(new Error('failed'), { code: 'ERR_WORKER_INIT_FAILED' }), true],
  ['an import without file descriptors', new Error('Cannot read package config /a/package.json: too many open files'), true],
  ['an error whose cause is one of these', new Error('x', { cause: new Error('too many open files') }), true],
  ['a defect', new TypeError('x is not a function'), false],
])('%s', (_name, error, isOfSystem) => {
  expect(isSystemError(error)).toBe(isOfSystem)
})
