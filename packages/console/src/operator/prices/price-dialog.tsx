import { useEffect, useState } from 'preact/hooks'
import type { PriceChange, UsageOfAll } from '@framegate/contract'
import { call, get } from '../../api/call.ts'
import { queryOf } from '../../api/query.ts'
import { credits, texts } from '../../language/language.ts'
import { loadModels, models } from '../../models/catalogue.ts'
import { priceSummary } from '../../models/price-summary.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogActions } from '../../parts/dialog-actions.tsx'
import { errorText } from '../../parts/error-text.ts'
import type { FormField } from '../../parts/form-field.tsx'
import { FormFields } from '../../parts/form-fields.tsx'
import { bodyOfForm, type FormValues } from '../../parts/form-values.ts'
import { Problem } from '../../parts/problem.tsx'
import { dayAgo } from '../../usage/days.ts'
import { textOf } from '../../parts/text-of.ts'

interface Trial {
  change: PriceChange
  /** Usage of the model in the last thirty days. */
  usage: UsageOfAll['total']
}

/** Sets a price. A dry run first shows the change, with the revenue of the model in the last 30 days. */
export function PriceDialog({ onChanged, onClose }: { onChanged: () => void; onClose: () => void }) {
  const t = texts.value
  const [values, setValues] = useState<FormValues>({ price: '{"unit": "second", "credits": {"*": 0.1}}' })
  const [trial, setTrial] = useState<Trial | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => void loadModels(), [])
  const fields: readonly FormField[] = [
    {
      name: 'model',
      label: t.tasks.model,
      kind: 'choice',
      choices: [['', t.playground.choose], ...(models.value ?? []).map(({ id }) => [id, id] as const)],
    },
    { name: 'account', label: t.prices.account, kind: 'text', hint: t.prices.accountHint },
    { name: 'brand', label: t.prices.brand, kind: 'text' },
    { name: 'price', label: t.prices.price, kind: 'json', hint: t.prices.priceHint },
    { name: 'effective_at', label: t.prices.effective, kind: 'dateTime' },
  ]

  function change(name: string, value: unknown): void {
    setTrial(null)
    const price = name === 'model' ? models.value?.find(({ id }) => id === value)?.price : undefined
    setValues((previous) => ({
      ...previous,
      [name]: value,
      ...(price !== undefined && { price: JSON.stringify(price, null, 2) }),
    }))
  }

  async function run(isTrial: boolean): Promise<void> {
    setProblem(null)
    try {
      const body = bodyOfForm(fields, values, null, t.playground.notJson)
      const changed = await call<PriceChange>('POST', '/admin/v1/prices', {
        body: { ...body, ...(isTrial && { dry_run: true }) },
      })
      if (!isTrial) {
        onChanged()
        onClose()
        return
      }
      const query = queryOf({ from: dayAgo(29), to: dayAgo(0), model: textOf(body['model']) })
      const { total } = await get<UsageOfAll>(`/admin/v1/usage${query}`)
      setTrial({ change: changed, usage: total })
    } catch (error) {
      setProblem(errorText(error, t))
    }
  }

  return (
    <Dialog title={t.prices.set} onClose={onClose} isWide>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run(trial === null)
        }}
      >
        <FormFields {...{ fields, values }} hasColumns onChange={change} />
        {trial !== null && <TrialView trial={trial} />}
        <Problem text={problem} />
        <DialogActions onClose={onClose}>
          <button type="submit" class="button primary">
            {trial === null ? t.prices.try : t.prices.set}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function TrialView({ trial: { change, usage } }: { trial: Trial }) {
  const t = texts.value
  const summary = (line: PriceChange['before']): string => priceSummary(line?.price ?? null, t)
  return (
    <div class="notice">
      <p>
        {t.prices.before}: {change.before === null ? t.prices.ofCatalogue : summary(change.before)}
      </p>
      <p>
        {t.prices.after}: {change.after === null ? t.prices.ofCatalogue : summary(change.after)}
      </p>
      <p class="muted">{t.prices.lastMonth(usage.tasks, credits(usage.amount), usage.seconds)}</p>
    </div>
  )
}
