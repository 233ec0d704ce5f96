import { cx } from '#web/ui/cx.ts'

type Props = { checked: boolean; onChange: (checked: boolean) => void; labelledBy: string; busy?: boolean }

/** While busy, ignores presses and keeps the focus. */
export function Switch({ checked, onChange, labelledBy, busy }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-labelledby={labelledBy}
      aria-busy={busy || undefined}
      onClick={() => busy || onChange(!checked)}
      className={cx(
        'flex h-7 w-12 flex-none hit-44 rounded-full p-[3px] transition-colors duration-120 focus-visible:rounded-full',
        checked ? 'justify-end bg-brand' : 'bg-border-control',
      )}
    >
      <span className="size-5.5 rounded-full bg-on-brand forced-colors:bg-[CanvasText]" />
    </button>
  )
}
