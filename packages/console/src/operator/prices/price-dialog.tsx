import { useEffect, useState } from 'preact/hooks'
import type { Account, AdminBrand, PriceChange, PriceInForce, PriceSimulation } from '@framegate/contract'
import { call, get } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { queryOf } from '../../api/query.ts'
import { useLoad } from '../../api/use-load.ts'
import { texts } from '../../language/language.ts'
import { loadModels, models } from '../../models/catalogue.ts'
import { priceSummary } from '../../models/price-summary.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogActions } from '../../parts/dialog-actions.tsx'
import { errorText } from '../../parts/error-text.ts'
import type { FormField } from '../../parts/form-field.tsx'
import { FormFields } from '../../parts/form-fields.tsx'
import { bodyOfForm, InvalidEntry, requireReadable, type FormValues } from '../../parts/form-values.ts'
import { Problem } from '../../parts/problem.tsx'
import { textOf } from '../../parts/text-of.ts'
import { draftOfModel, priceOf } from './price-draft.ts'
import { entryOf, PriceFields, type PriceEntry } from './price-fields.tsx'
import { SimulationTable } from './simulation-table.tsx'

interface DryRun {
  change: PriceChange
  /** The price that applies before the change. */
  current: PriceInForce
  /** Simulated charges of the last 30 days under the new price. Null if the price is removed. */
  simulation: PriceSimulation | null
}

/**
 * Dialog that sets a price. A dry run first shows the change, and what the tasks of the last 30
 * days would have cost.
 */
export function PriceDialog({ onChanged, onClose }: { onChanged: () => void; onClose: () => void }) {
  const t = texts.value
  const [values, setValues] = useState<FormValues>({})
  const [entry, setEntry] = useState(entryOf('amounts', draftOfModel(undefined)))
  const [dryRun, setDryRun] = useState<DryRun | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => void loadModels(), [])
  const brands = useLoad<ListPage<AdminBrand>>('/admin/v1/brands').data?.items ?? []
  const accounts = useLoad<ListPage<Account>>('/admin/v1/accounts?limit=100').data?.items ?? []
  const fields: readonly FormField[] = [
    {
      name: 'model',
      label: t.tasks.model,
      kind: 'choice',
      choices: [['', t.playground.choose], ...(models.value ?? []).map(({ id }) => [id, id] as const)],
    },
    {
      name: 'account',
      label: t.prices.account,
      kind: 'text',
      hint: t.prices.accountHint,
      suggestions: accounts.map(({ id, name }) => [id, name] as const),
    },
    {
      name: 'brand',
      label: t.prices.brand,
      kind: 'choice',
      choices: [['', t.prices.allBrands], ...brands.map(({ id, name }) => [id, name] as const)],
    },
    { name: 'effective_at', label: t.prices.effective, kind: 'dateTime' },
  ]

  const model = models.value?.find(({ id }) => id === values['model'])

  function change(name: string, value: unknown): void {
    setDryRun(null)
    setValues((previous) => ({ ...previous, [name]: value }))
    if (name !== 'model') return
    const draft = draftOfModel(models.value?.find(({ id }) => id === value))
    setEntry(({ form }) => entryOf(form, draft))
  }

  function changePrice(changed: PriceEntry): void {
    setDryRun(null)
    setEntry(changed)
  }

  async function setPrice(form: HTMLFormElement, isDryRun: boolean): Promise<void> {
    setProblem(null)
    setBusy(true)
    try {
      const { notJson, unreadable } = t.playground
      requireReadable(form, unreadable)
      const body: FormValues = { ...bodyOfForm(fields, values, null, notJson), price: enteredPrice(entry, notJson) }
      const priceChange = await call<PriceChange>('POST', '/admin/v1/prices', {
        body: { ...body, ...(isDryRun && { dry_run: true }) },
      })
      if (!isDryRun) {
        onChanged()
        onClose()
        return
      }
      const { model: modelId, account, brand, price } = body
      const owner = queryOf({ model: textOf(modelId), account: textOf(account), brand: textOf(brand) })
      const current = await get<PriceInForce>(`/admin/v1/prices/current${owner}`)
      const simulation =
        price === null
          ? null
          : await call<PriceSimulation>('POST', '/admin/v1/prices/simulate', {
              body: { models: [textOf(modelId)], account, brand, price },
            })
      setDryRun({ change: priceChange, current, simulation })
    } catch (error) {
      setProblem(errorText(error, t))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={t.prices.set} onClose={onClose} isWide>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void setPrice(event.currentTarget, dryRun === null)
        }}
      >
        <FormFields {...{ fields, values }} hasColumns onChange={change} />
        <PriceFields {...{ model, entry }} onChange={changePrice} />
        {dryRun !== null && <DryRunView dryRun={dryRun} />}
        <Problem text={problem} />
        <DialogActions onClose={onClose}>
          <button type="submit" class="button primary" disabled={isBusy}>
            {isBusy ? t.prices.trying : dryRun === null ? t.prices.try : t.prices.set}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Returns the entered price for the request. Null removes the price. */
function enteredPrice({ form, draft, json }: PriceEntry, notJson: string): unknown {
  if (form === 'removal') return null
  if (form === 'amounts') return priceOf(draft)
  try {
    return JSON.parse(json) as unknown
  } catch {
    throw new InvalidEntry('price', notJson)
  }
}

function DryRunView({ dryRun: { change, current, simulation } }: { dryRun: DryRun }) {
  const t = texts.value
  const summaryOf = (line: PriceChange['before']): string | null =>
    line === null || line.price === null ? null : priceSummary(line.price, t)
  return (
    <div class="notice">
      <p>
        {t.prices.before}: {summaryOf(change.before) ?? t.prices.broaderPriceIs(priceSummary(current.price, t))}
      </p>
      <p>
        {t.prices.after}: {summaryOf(change.after) ?? t.prices.broaderPrice}
      </p>
      {simulation !== null && <SimulationTable simulation={simulation} />}
    </div>
  )
}
