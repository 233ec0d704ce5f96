import { cx } from './cx.ts'

/** The spinner is decorative: text beside it must say what is loading. */
export function Spinner({ className = 'size-[22px] border-border border-t-brand' }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cx('block animate-spin rounded-full border-[2.5px]', className)} />
  )
}
