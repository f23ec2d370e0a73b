import type { OtherThreads } from '../services.ts'

/** For a process in which one thread serves HTTP. */
export const noOtherThreads: OtherThreads = { async applyConfigChanges() {}, async drain() {} }
