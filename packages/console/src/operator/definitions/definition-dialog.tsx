import type { AdminModelDefinition } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { texts } from '../../language/language.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { DefinitionPreview } from './definition-preview.tsx'

interface DefinitionDialogProps {
  model: AdminModelDefinition
  onChanged: () => void
  onClose: () => void
}

/** Dialog that edits a definition as JSON, with a preview of the form that clients will see. */
export function DefinitionDialog({ model, onChanged, onClose }: DefinitionDialogProps) {
  const t = texts.value
  const { id, definition: before } = model
  return (
    <FormDialog
      title={id}
      button={t.actions.save}
      lead={t.definitions.editHint}
      fields={[{ name: 'definition', label: t.definitions.definition, kind: 'json' }]}
      initial={{ definition: JSON.stringify(before, null, 2) }}
      questionOf={() => t.definitions.changeQuestion(id)}
      footer={({ definition }) => <DefinitionPreview before={before} change={definition} />}
      onSubmit={async ({ definition }) => {
        await call('PATCH', `/admin/v1/models/${encodeURIComponent(id)}`, { body: definition })
        onChanged()
      }}
      onClose={onClose}
    />
  )
}
