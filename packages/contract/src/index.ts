export * from './dimensions.ts'
export * from './errors.ts'
export * from './status.ts'
export * from './task.ts'
