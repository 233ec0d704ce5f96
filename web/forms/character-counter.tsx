import { en } from '#contract/language.ts'
import { cx } from '../ui/cx.ts'

/** Appears at 80 % of the limit. Announced at 20 characters left and at the limit. */
export function CharacterCounter({ length, max }: { length: number; max: number }) {
  const left = max - length
  const announcement =
    left < 0
      ? en(`${-left} over the limit`, `${-left} de más`)
      : left === 0 || left === 20
        ? en(`${left} characters left`, `Quedan ${left} caracteres`)
        : ''
  return (
    <>
      {length >= max * 0.8 && (
        <span
          aria-hidden="true"
          className={cx('text-meta tabular-nums', left < 0 ? 'font-[620] text-danger' : 'text-text-2')}
        >
          {length}/{max}
        </span>
      )}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </>
  )
}
