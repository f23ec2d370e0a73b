/** The wire as TypeBox schemas, apart from the constants and types that every part of the service needs at its start. */
export * from './admin.ts'
export * from './credits.ts'
export * from './error-body.ts'
export * from './health.ts'
export * from './list.ts'
export * from './model.ts'
export * from './task.ts'
export * from './timeline.ts'
