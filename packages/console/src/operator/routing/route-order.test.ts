import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prioritiesAfterMove } from './route-order.ts'

const route = (name: string, priority: number, source: 'api' | 'file' = 'api') => ({ name, priority, source })
const move = (routes: ReturnType<typeof route>[], moved: string, target: string) => {
  const find = (name: string) => routes.find((candidate) => candidate.name === name) ?? route(name, 0)
  const changes = prioritiesAfterMove(routes, find(moved), find(target))
  return changes === null ? null : Object.fromEntries(changes)
}

it('a route that is dropped on an earlier one comes before it, and other priorities change as little as possible', () => {
  const routes = [route('a', 0), route('b', 1), route('c', 5)]
  expect(move(routes, 'c', 'b')).toEqual({ c: 1, b: 2 })
  expect(move(routes, 'c', 'a')).toEqual({ c: -1 })
})

it('a route that is dropped on a later one comes after it', () => {
  const routes = [route('a', 0), route('b', 1), route('c', 5)]
  expect(move(routes, 'a', 'b')).toEqual({ a: 2 })
  expect(move(routes, 'a', 'c')).toEqual({ a: 6 })
})

it('routes with the same priority still share one when their priorities change', () => {
  expect(move([route('a', 0), route('b', 1), route('c', 1), route('d', 2)], 'd', 'b')).toEqual({ d: 1, b: 2, c: 2 })
})

it('a move that would change the priority of a route of the configuration file is impossible', () => {
  expect(move([route('a', 0), route('b', 1, 'file'), route('c', 2)], 'c', 'b')).toBeNull()
})

it('after any move the moved route has the position of the target, and the others keep their order', () => {
  const priorities = fc.array(fc.integer({ min: -3, max: 6 }), { minLength: 2, maxLength: 7 })
  fc.assert(
    fc.property(priorities, fc.nat(), fc.nat(), (values, fromIndex, toIndex) => {
      const routes = values.map((priority, index) => route(`r${index}`, priority)).toSorted((a, b) => a.priority - b.priority)
      const from = fromIndex % routes.length
      const to = toIndex % routes.length
      fc.pre(from !== to)
      const [moved, target] = [routes[from], routes[to]]
      if (moved === undefined || target === undefined) return
      const changes = prioritiesAfterMove(routes, moved, target)
      const changedPriorities = new Map(routes.map(({ name, priority }) => [name, changes?.get(name) ?? priority]))
      const expected = routes.filter(({ name }) => name !== moved.name)
      expected.splice(to, 0, moved)
      const result = expected.map(({ name }) => changedPriorities.get(name) ?? 0)
      for (const [index, priority] of result.entries()) {
        const previous = result[index - 1]
        if (previous === undefined) continue
        const isMoved = expected[index] === moved || expected[index - 1] === moved
        if (isMoved) expect(priority).toBeGreaterThan(previous)
        else expect(priority).toBeGreaterThanOrEqual(previous)
      }
    }),
  )
})
