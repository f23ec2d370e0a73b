import { RenderPool } from '../../packages/renderer/src/pool/render-pool.ts'
import { Previews } from '../../packages/server/src/previews/previews.ts'

// Loaded before the service: it keeps no file for a thumbnail, and renders no frame for one.
Previews.prototype.hold = async () => {}
const pool: Pick<RenderPool, 'render'> = RenderPool.prototype
const render = Reflect.get(pool, 'render')
pool.render = function renderWithoutFrame(this: RenderPool, { earlyFrame: _frame, ...order }, ...rest) {
  return render.call(this, order, ...rest)
}
