import type { OtherThreads } from '../http-dependencies.ts'

/** Stands in for the HTTP threads in a process where the main thread serves all requests. */
export const noOtherThreads: OtherThreads = { async applyConfigChanges() {}, async drain() {} }
