import { classes } from './classes.ts'

/** Decorative; what is being waited for is said in text beside it. */
export function Spinner({ className = 'size-[22px] border-border border-t-brand' }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('block animate-spin rounded-full border-[2.5px]', className)}
    />
  )
}
