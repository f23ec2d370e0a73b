import { RenderPool } from '../../packages/renderer/src/pool/render-pool.ts'
import { Previews } from '../../packages/server/src/previews/previews.ts'

// Loaded before the service, to disable previews: no file is linked for them, and no frame is
// rendered early for a thumbnail.
Previews.prototype.linkFile = async () => {}
const pool: Pick<RenderPool, 'render'> = RenderPool.prototype
const render = Reflect.get(pool, 'render')
pool.render = function renderWithoutFrame(this: RenderPool, { earlyFrame: _frame, ...order }, ...rest) {
  return render.call(this, order, ...rest)
}
