import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { cx } from '#web/ui/cx.ts'

type Props<Value> = {
  options: readonly { value: Value; label: string; icon?: LucideIcon }[]
  chosen: Value
  onChoose: (value: Value) => void
}

/** Place it in a `fieldset` whose legend names the choice. */
export function SegmentedRadio<Value>({ options, chosen, onChoose }: Props<Value>) {
  const name = useId()
  return (
    <div className="flex flex-wrap rounded-dialog bg-sunken p-1">
      {options.map(({ value, label, icon: Icon }) => (
        <label
          key={label}
          className={cx(
            'relative flex min-h-11 flex-1 items-center justify-center gap-2 rounded-full px-2 text-label font-[620] whitespace-nowrap',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            value === chosen
              ? 'bg-surface text-brand-text inset-ring-[1.5px] inset-ring-brand forced-colors:outline-2'
              : 'text-text-2',
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {Icon && <Icon aria-hidden size={18} strokeWidth={2} className="flex-none" />}
          {label}
        </label>
      ))}
    </div>
  )
}
