export { hashText } from './picture/random.ts'
export type { OrderEnd } from './pool/render-order.ts'
export { RenderPool } from './pool/render-pool.ts'
export type { PlanOverlay, PlanImage, RenderPlan } from './render-plan.ts'
