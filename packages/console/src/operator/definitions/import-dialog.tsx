import { useState } from 'preact/hooks'
import type { AdminModelImport, AdminModelPack, AdminUpstream } from '@framegate/contract'
import { call } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { useLoad } from '../../api/use-load.ts'
import { credits, texts } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogActions } from '../../parts/dialog-actions.tsx'
import { errorText } from '../../parts/error-text.ts'
import type { FormField } from '../../parts/form-field.tsx'
import { FormFields } from '../../parts/form-fields.tsx'
import { bodyOfForm, type FormValues } from '../../parts/form-values.ts'
import { Problem } from '../../parts/problem.tsx'
import { textOf } from '../../parts/text-of.ts'

/** Dialog that imports a model. A dry run first shows its definition and routes. */
export function ImportDialog({ onImported, onClose }: { onImported: () => void; onClose: () => void }) {
  const t = texts.value
  const packs = useLoad<ListPage<AdminModelPack>>('/admin/v1/model-packs')
  const upstreams = useLoad<ListPage<AdminUpstream>>('/admin/v1/upstreams')
  const [values, setValues] = useState<FormValues>({})
  const [dryRun, setDryRun] = useState<AdminModelImport | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const fields: readonly FormField[] = [
    {
      name: 'pack',
      label: t.definitions.pack,
      kind: 'choice',
      choices: [
        ['', t.definitions.noPack],
        ...(packs.data?.items ?? []).map(({ name, title, driver }) => [name, `${title} (${driver})`] as const),
      ],
    },
    {
      name: 'source',
      label: t.definitions.source,
      kind: 'text',
      placeholder: 'fal:fal-ai/flux-2-pro',
      hint: t.definitions.sourceHint,
    },
    {
      name: 'upstream',
      label: t.routing.upstream,
      kind: 'choice',
      choices: [['', t.definitions.anyUpstream], ...(upstreams.data?.items ?? []).map(({ name }) => [name, name] as const)],
    },
    { name: 'id', label: t.definitions.id, kind: 'text', hint: t.definitions.idHint },
    { name: 'price', label: t.prices.price, kind: 'json', hint: t.definitions.priceHint },
  ]

  async function importModel(isDryRun: boolean): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const { pack, source, ...body } = bodyOfForm(fields, values, null, t.playground.notJson)
      const sources = [pack === undefined ? textOf(source) : `pack:${textOf(pack)}`]
      const importResult = await call<AdminModelImport>('POST', '/admin/v1/models/import', {
        body: { ...body, sources, ...(isDryRun && { dry_run: true }) },
      })
      if (importResult.saved) {
        onImported()
        onClose()
      } else {
        setDryRun(importResult)
      }
    } catch (error) {
      setProblem(errorText(error, t))
    }
    setBusy(false)
  }

  return (
    <Dialog title={t.definitions.import} onClose={onClose} isWide>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void importModel(dryRun === null || dryRun.model === null)
        }}
      >
        <FormFields
          {...{ fields, values }}
          hasColumns
          onChange={(name, value) => {
            setDryRun(null)
            setValues((previous) => ({ ...previous, [name]: value }))
          }}
        />
        {dryRun !== null && (
          <DryRunView dryRun={dryRun} onChoose={(source) => setValues((previous) => ({ ...previous, source, pack: '' }))} />
        )}
        <Problem text={problem} />
        <DialogActions onClose={onClose}>
          <button type="submit" class="button primary" disabled={isBusy}>
            {dryRun === null || dryRun.model === null ? t.definitions.preview : t.definitions.import}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Shows the models from which the operator must choose one, or what the import would save. */
function DryRunView({ dryRun, onChoose }: { dryRun: AdminModelImport; onChoose: (source: string) => void }) {
  const t = texts.value
  if (dryRun.model === null) {
    return (
      <div class="notice">
        <p>{t.definitions.choose}</p>
        {dryRun.choices.map((choice) => (
          <button key={choice} type="button" class="button small" onClick={() => onChoose(choice)}>
            {choice}
          </button>
        ))}
      </div>
    )
  }
  return (
    <div class="notice">
      <p>{t.definitions.wouldCreate(textOf(dryRun.model['id']), dryRun.routes.length)}</p>
      {dryRun.price_hint !== null && <p class="muted">{dryRun.price_hint}</p>}
      {dryRun.prices.some((price) => price.credits === null) ? (
        <p class="field-error">{t.definitions.unpriced}</p>
      ) : (
        <p>{dryRun.prices.map((price) => t.playground.credits(credits(price.credits ?? 0))).join(', ')}</p>
      )}
      {dryRun.notes.length > 0 && (
        <ul>
          {dryRun.notes.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t.tasks.raw}</summary>
        <pre class="code-block">
          <code>{JSON.stringify({ model: dryRun.model, routes: dryRun.routes }, null, 2)}</code>
        </pre>
      </details>
    </div>
  )
}
