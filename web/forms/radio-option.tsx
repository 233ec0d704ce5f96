import { useId } from 'react'
import { cx } from '#web/ui/cx.ts'

type Props = {
  name: string
  checked: boolean
  onChoose: () => void
  label: string
  text?: string
  disabled?: boolean
  tinted?: boolean
}

export function RadioOption({ name, checked, onChoose, label, text, disabled, tinted }: Props) {
  const id = useId()
  return (
    <div
      className={cx(
        'relative flex items-start gap-3.5 rounded-input py-2.5',
        tinted && '-mx-2 px-2',
        tinted && checked && 'bg-brand-soft',
      )}
    >
      <input
        id={id}
        type="radio"
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={text ? `${id}-text` : undefined}
        onChange={onChoose}
        className="relative z-1 mt-0.5 size-5.5 flex-none appearance-none rounded-full bg-surface inset-ring-[1.5px] inset-ring-border-control checked:bg-on-brand checked:inset-ring-[6.5px] checked:inset-ring-brand focus-visible:rounded-full disabled:opacity-50 forced-colors:appearance-auto"
      />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {/* The label covers the whole row, so that the whole row is clickable. */}
        <label
          htmlFor={id}
          className={cx('block font-[620] after:absolute after:inset-0', disabled && 'text-text-2')}
        >
          {label}
        </label>
        {text && (
          <span id={`${id}-text`} className="block text-pretty text-meta text-text-2">
            {text}
          </span>
        )}
      </span>
    </div>
  )
}
