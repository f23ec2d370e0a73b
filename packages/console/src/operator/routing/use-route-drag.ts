import { useState } from 'preact/hooks'
import type { AdminRoute } from '@framegate/contract'
import type { RowAttributes } from '../../parts/data-table.tsx'

/**
 * Lets an operator reorder the routes of a model by dragging rows. Returns the attributes of a
 * route's row. With a keyboard or a touch screen, the buttons in the rows do the same.
 */
export function useRouteDrag(onDrop: (moved: AdminRoute, target: AdminRoute) => void): (route: AdminRoute) => RowAttributes {
  const [moved, setMoved] = useState<AdminRoute | null>(null)
  const [targetName, setTargetName] = useState<string | null>(null)

  function endDrag(): void {
    setMoved(null)
    setTargetName(null)
  }

  return (route) => {
    const mayBeTarget = moved !== null && moved.name !== route.name && moved.model === route.model
    return {
      class: mayBeTarget && targetName === route.name ? 'drop-target' : undefined,
      draggable: route.source === 'api',
      onDragStart: (event) => {
        // Firefox starts a drag only if it has data.
        event.dataTransfer?.setData('text/plain', route.name)
        setMoved(route)
      },
      onDragEnd: endDrag,
      onDragOver: (event) => {
        if (!mayBeTarget) return
        event.preventDefault()
        setTargetName(route.name)
      },
      onDrop: (event) => {
        if (!mayBeTarget) return
        event.preventDefault()
        endDrag()
        onDrop(moved, route)
      },
    }
  }
}
