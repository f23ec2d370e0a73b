/**
 * The response bodies as TypeBox schemas. They are separate from the constants and types that every
 * start of the service loads.
 */
export * from './admin-attempts.ts'
export * from './admin-imports.ts'
export * from './admin-models.ts'
export * from './admin-overview.ts'
export * from './admin-prices.ts'
export * from './admin-routing.ts'
export * from './admin.ts'
export * from './asset.ts'
export * from './credits.ts'
export * from './deletion.ts'
export * from './error-body.ts'
export * from './health.ts'
export * from './list.ts'
export * from './model.ts'
export * from './task.ts'
export * from './timeline.ts'
export * from './usage.ts'
