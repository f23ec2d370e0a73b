import type { PriceSimulation } from '@framegate/contract'
import { count, credits, exactTime, texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'

/** Compares what past tasks were charged with what they would have cost under a new price. */
export function SimulationTable({ simulation }: { simulation: PriceSimulation }) {
  const t = texts.value
  const { items, total, from, complete } = simulation
  return (
    <div class="simulation">
      <p>{t.prices.simulated(exactTime(from))}</p>
      <DataTable
        label={t.prices.simulation}
        rows={items}
        keyOf={({ model }) => model}
        columns={[
          { label: t.tasks.model, cell: ({ model }) => <code>{model}</code> },
          { label: t.prices.tasks, cell: ({ tasks }) => count(tasks), isNumber: true },
          { label: t.prices.charged, cell: ({ charged }) => credits(charged), isNumber: true },
          { label: t.prices.wouldCharge, cell: (item) => credits(item.simulated), isNumber: true },
          {
            label: t.prices.difference,
            cell: ({ difference }) => `${difference > 0 ? '+' : ''}${credits(difference)}`,
            isNumber: true,
          },
        ]}
      />
      {!complete && <p class="muted small">{t.prices.incomplete}</p>}
      {total.skipped > 0 && <p class="muted small">{t.prices.skipped(total.skipped)}</p>}
    </div>
  )
}
