import type { Model } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { Field } from '../../parts/field.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { amountNamesOf, draftOfJson, priceOf, unitsOf, type PriceDraft, type PriceUnit } from './price-draft.ts'

/** A price while it is entered, in one of three forms. `removal` removes the price. */
export interface PriceEntry {
  form: 'amounts' | 'json' | 'removal'
  draft: PriceDraft
  /** Text of the form `json`. */
  json: string
}

/** Returns the entry of a draft, with the same price as JSON text. */
export function entryOf(form: PriceEntry['form'], draft: PriceDraft): PriceEntry {
  return { form, draft, json: JSON.stringify(priceOf(draft), null, 2) }
}

interface PriceFieldsProps {
  model: Model | undefined
  entry: PriceEntry
  onChange: (entry: PriceEntry) => void
}

/** Fields of a price: its unit and amounts, or JSON for fields that are rarely used. */
export function PriceFields({ model, entry, onChange }: PriceFieldsProps) {
  const t = texts.value.prices
  const { form, draft, json } = entry

  // Text that is not the JSON of a price is kept until the amounts change.
  function changeForm(newForm: PriceEntry['form']): void {
    const draftOfText = form === 'json' ? draftOfJson(json) : null
    onChange(draftOfText === null ? { form: newForm, draft, json } : entryOf(newForm, draftOfText))
  }

  return (
    <>
      <Segmented
        label={t.price}
        name="price_form"
        value={form}
        isLabelShown
        options={[
          { value: 'amounts', label: t.amounts },
          { value: 'json', label: 'JSON' },
          { value: 'removal', label: t.removal },
        ]}
        onChange={changeForm}
      />
      {form === 'amounts' && <AmountFields {...{ model, draft }} onChange={(changed) => onChange(entryOf('amounts', changed))} />}
      {form === 'json' && (
        <Field label={t.priceAsJson} hint={t.priceHint}>
          {(ids) => (
            <textarea
              {...ids}
              name="price"
              rows={8}
              class="code"
              spellcheck={false}
              value={json}
              onInput={({ currentTarget }) => onChange({ ...entry, json: currentTarget.value })}
            />
          )}
        </Field>
      )}
      {form === 'removal' && <p class="hint">{t.removalHint}</p>}
    </>
  )
}

interface AmountFieldsProps {
  model: Model | undefined
  draft: PriceDraft
  onChange: (draft: PriceDraft) => void
}

function AmountFields({ model, draft, onChange }: AmountFieldsProps) {
  const { models, prices: t } = texts.value
  const { unit, amounts, audio, minimum } = draft
  const names = amountNamesOf(model, draft)
  const labelOf = (name: string): string => {
    if (unit === 'token') return t.tokens[name as keyof typeof t.tokens]
    if (name !== '*') return t.creditsAt(name)
    return names.length === 1 ? t.credits : t.creditsElse
  }
  return (
    <div class="form-columns">
      <Field label={t.unit}>
        {(ids) => (
          <select
            {...ids}
            name="unit"
            value={unit}
            onChange={({ currentTarget }) => onChange({ ...draft, unit: currentTarget.value as PriceUnit })}
          >
            {unitsOf(model).map((choice) => (
              <option key={choice} value={choice}>
                {models.units[choice]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {names.map((name) => (
        <AmountField
          key={name}
          label={labelOf(name)}
          value={amounts[name] ?? ''}
          onChange={(amount) => onChange({ ...draft, amounts: { ...amounts, [name]: amount } })}
        />
      ))}
      {unit === 'second' && (
        <>
          <AmountField label={t.audio} value={audio} onChange={(amount) => onChange({ ...draft, audio: amount })} />
          <AmountField label={t.minimum} value={minimum} onChange={(amount) => onChange({ ...draft, minimum: amount })} />
        </>
      )}
    </div>
  )
}

function AmountField({ label, value, onChange }: { label: string; value: string; onChange: (amount: string) => void }) {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          step="any"
          min="0"
          inputMode="decimal"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
