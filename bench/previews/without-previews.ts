import { RenderPool } from '../../packages/renderer/src/pool/render-pool.ts'
import { Previews } from '../../packages/server/src/previews/previews.ts'

// Loaded before the service: it keeps no file for a thumbnail, and renders no frame for one.
Previews.prototype.hold = async () => {}
const pool: Pick<RenderPool, 'carryOut'> = RenderPool.prototype
const carryOut = Reflect.get(pool, 'carryOut')
pool.carryOut = function carryOutWithoutFrame(this: RenderPool, { earlyFrame: _frame, ...order }, ...rest) {
  return carryOut.call(this, order, ...rest)
}
