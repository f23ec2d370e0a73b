import { useState } from 'preact/hooks'
import type { AdminRoute } from '@framegate/contract'
import type { RowAttributes } from '../../parts/data-table.tsx'

/**
 * Lets an operator reorder the routes of a model by dragging rows. Buttons in the rows do the same
 * for keyboards and touch screens.
 */
export function useRouteDrag(onDrop: (moved: AdminRoute, target: AdminRoute) => void): (route: AdminRoute) => RowAttributes {
  const [moved, setMoved] = useState<AdminRoute | null>(null)
  const [target, setTarget] = useState<string | null>(null)

  function end(): void {
    setMoved(null)
    setTarget(null)
  }

  return (route) => {
    const isTarget = moved !== null && moved.name !== route.name && moved.model === route.model
    return {
      class: isTarget && target === route.name ? 'drop-target' : undefined,
      draggable: route.source === 'api',
      onDragStart: (event) => {
        // Firefox starts a drag only if it has data.
        event.dataTransfer?.setData('text/plain', route.name)
        setMoved(route)
      },
      onDragEnd: end,
      onDragOver: (event) => {
        if (!isTarget) return
        event.preventDefault()
        setTarget(route.name)
      },
      onDrop: (event) => {
        if (!isTarget) return
        event.preventDefault()
        end()
        onDrop(moved, route)
      },
    }
  }
}
