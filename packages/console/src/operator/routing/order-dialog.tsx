import type { AdminRoute } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { costSummary } from './cost-summary.ts'

/** A new order of the routes of a model. */
export interface RouteOrder {
  routes: readonly AdminRoute[]
  /** New priorities by the names of the routes that change. */
  changes: ReadonlyMap<string, number>
}

interface OrderDialogProps {
  order: RouteOrder
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks before the order of routes changes, because each provider charges its own price. */
export function OrderDialog({ order: { routes, changes }, onConfirm, onClose }: OrderDialogProps) {
  const t = texts.value.routing
  const priorityOf = ({ name, priority }: AdminRoute): number => changes.get(name) ?? priority
  return (
    <ConfirmDialog
      title={t.reorder}
      question={t.reorderQuestion(routes[0]?.model ?? '')}
      details={
        <DataTable
          label={t.reorder}
          rows={routes.toSorted((a, b) => priorityOf(a) - priorityOf(b))}
          keyOf={({ name }) => name}
          columns={[
            { label: t.route, cell: ({ name }) => name },
            { label: t.upstream, cell: ({ upstream }) => upstream },
            { label: t.cost, cell: ({ cost }) => costSummary(cost) },
            { label: t.before, cell: ({ priority }) => priority, isNumber: true },
            { label: t.after, cell: priorityOf, isNumber: true },
          ]}
        />
      }
      button={t.reorder}
      isDestructive={false}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
