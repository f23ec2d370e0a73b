import { afterEach, describe, expect, it } from 'vitest'
import { RenderPool } from './render-pool.ts'
import type { UnnumberedOrder } from './render-slot.ts'

let pool: RenderPool
afterEach(() => pool.close())

function openPool(slots: number): RenderPool {
  return new RenderPool({ slots, workerUrl: new URL('./crashing-worker.fixture.ts', import.meta.url) })
}

function orderOf(prompt: string): UnnumberedOrder {
  const plan = { width: 64, height: 64, frames: 1, prompt, negativePrompt: '', seed: 1, mode: 'text' as const, images: [] }
  return { object: 'video', plan: { ...plan, overlay: null }, isReversed: false, hasAmbience: false, path: '/dev/null' }
}

const neverAbortedSignal = new AbortController().signal

function render(prompt: string, signal: AbortSignal = neverAbortedSignal) {
  return pool.render(orderOf(prompt), signal, () => {})
}

describe('the render pool', () => {
  it.each([
    ['exit', 'the render worker ended'],
    ['throw', 'an error in the worker'],
  ])('an order whose worker dies by %s fails, and another order succeeds', async (prompt, error) => {
    pool = openPool(2)
    const [failedEnd, succeededEnd] = await Promise.all([render(prompt), render('finish')])
    expect(failedEnd).toMatchObject({ outcome: 'failed', error: expect.stringContaining(error) as string })
    expect(succeededEnd).toEqual({ outcome: 'done' })
    expect(await Promise.all(['finish', 'finish', 'finish'].map((prompt) => render(prompt)))).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: 'done' })),
    )
  })

  it('an order whose worker cannot be started fails, and frees its slot', async () => {
    // Node throws when it creates a thread for this URL, as it does if the system permits no further thread.
    pool = new RenderPool({ slots: 1, workerUrl: new URL('http://127.0.0.1/worker.ts') })
    for (let order = 0; order < 2; order++) {
      expect(await render('finish')).toMatchObject({
        outcome: 'failed',
        error: expect.stringContaining('the render worker could not be started') as string,
      })
    }
  })

  it('a stopped order that does not respond frees its slot', async () => {
    pool = openPool(1)
    await render('finish')
    const stopping = new AbortController()
    const hangingOrder = render('hang', stopping.signal)
    const waitingOrder = render('finish')
    await new Promise((resolve) => setTimeout(resolve, 50))
    stopping.abort()
    expect(await hangingOrder).toEqual({ outcome: 'stopped' })
    expect(await waitingOrder).toEqual({ outcome: 'done' })
  })

  it('a stopped order leaves the queue immediately, and the other orders keep their sequence', async () => {
    pool = openPool(1)
    const stopping = new AbortController()
    const ends: string[] = []
    const first = render('finish').then(() => ends.push('first'))
    const second = render('finish', stopping.signal).then(({ outcome }) => ends.push(outcome))
    const third = render('finish').then(() => ends.push('third'))
    stopping.abort()
    await Promise.all([first, second, third])
    expect(ends).toEqual(['stopped', 'first', 'third'])
  })

  it("the render pool carries out more orders than one slot's maximum", async () => {
    pool = openPool(1)
    const ends = new Set<string>()
    for (let order = 0; order < 120; order++) ends.add((await render('finish')).outcome)
    expect([...ends]).toEqual(['done'])
  })
})
