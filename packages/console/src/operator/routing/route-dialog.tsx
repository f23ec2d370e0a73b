import type { AdminRoute } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { textOf } from '../../parts/text-of.ts'
import { routeFields, routeQuestion, settingsOutsideForm, valuesOfRoute } from './route-fields.ts'

/** The dialog that is open: for a new route, or for changing or removing a route. */
export type OpenRouteDialog = 'new' | { kind: 'set' | 'remove'; route: AdminRoute }

interface RouteDialogProps {
  open: OpenRouteDialog
  upstreamNames: readonly string[]
  /** Whether the route is the only one of its model. */
  isLastOfModel: boolean
  onSet: (name: string, body: unknown) => Promise<void>
  onChanged: () => void
  onClose: () => void
}

export function RouteDialog({ open, upstreamNames, isLastOfModel, onSet, onChanged, onClose }: RouteDialogProps) {
  const t = texts.value
  if (open === 'new') {
    return (
      <FormDialog
        title={t.routing.addRoute}
        button={t.actions.create}
        fields={routeFields(upstreamNames, true)}
        questionOf={(body) => routeQuestion(null, body)}
        onSubmit={({ name, ...body }) => onSet(textOf(name), body)}
        onClose={onClose}
      />
    )
  }
  const { kind, route } = open
  if (kind === 'set') {
    return (
      <FormDialog
        title={route.name}
        button={t.actions.save}
        fields={routeFields(upstreamNames, false)}
        initial={valuesOfRoute(route)}
        questionOf={(body) => routeQuestion(route, body)}
        onSubmit={(body) => onSet(route.name, { ...settingsOutsideForm(route), ...body })}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title={t.routing.remove}
      question={t.routing.removeRouteQuestion(route.name, isLastOfModel)}
      button={t.routing.remove}
      onConfirm={async () => {
        await call('DELETE', `/admin/v1/routes/${encodeURIComponent(route.name)}`)
        onChanged()
      }}
      onClose={onClose}
    />
  )
}
