import type { ComponentProps, MouseEvent } from 'react'
import { Link, type LinkProps } from 'react-router'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

const kinds = {
  primary: 'bg-brand text-on-brand hover:bg-brand-hover active:bg-brand-press',
  soft: 'bg-brand-soft text-brand-text hover:bg-brand-soft-hover',
  outline: 'inset-ring-[1.5px] inset-ring-border-control text-text hover:bg-sunken',
  quiet: 'bg-sunken text-text hover:bg-border',
  ghost: 'text-text-2 hover:bg-sunken hover:text-text',
  danger: 'bg-danger text-on-danger',
}

const sizes = {
  sm: 'min-h-9 px-[15px] text-label hit-44',
  md: 'min-h-11 px-5 text-body',
  lg: 'min-h-13 px-[26px] text-name',
}

type Look = { kind?: keyof typeof kinds; size?: keyof typeof sizes; block?: boolean }

const look = ({ kind = 'primary', size = 'md', block }: Look, ...more: (string | undefined)[]) =>
  cx(
    'inline-flex items-center justify-center gap-2 rounded-full font-[650] tracking-[-0.003em] text-center no-underline',
    'transition-[background-color,scale] duration-120 active:scale-98 focus-visible:rounded-full',
    'disabled:bg-sunken disabled:text-text-3 disabled:inset-ring-0 disabled:active:scale-none',
    kinds[kind],
    sizes[size],
    block && 'w-full',
    ...more,
  )

type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean; busyLabel?: string }

/**
 * A busy button keeps its width and focus. It also ignores the second click of a double click, which arrives before
 * the button is busy.
 */
export function Button(props: ButtonProps) {
  const { kind, size, block, busy = false, busyLabel, className, onClick, children, ...rest } = props

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy || event.detail > 1) event.preventDefault()
    else onClick?.(event)
  }

  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      onClick={press}
      className={look({ kind, size, block }, className)}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="also-as-wide-as" data-also={busy ? textOf(children) : busyLabel}>
          <span className="relative">
            {busy && size !== 'sm' && (
              <Spinner className="absolute inset-y-0 right-full my-auto mr-2 size-[18px] border-current/35 border-t-current" />
            )}
            {busy ? busyLabel : children}
          </span>
        </span>
      )}
    </button>
  )
}

const textOf = (children: ButtonProps['children']) => (typeof children === 'string' ? children : undefined)

export function ButtonLink({ kind, size, block, className, ...rest }: LinkProps & Look) {
  return <Link {...rest} className={look({ kind, size, block }, className)} />
}

const round = (...more: (string | undefined)[]) =>
  cx(
    'tooltip inline-grid size-11 flex-none place-items-center rounded-full text-text-2 transition-colors duration-120',
    'hover:bg-sunken hover:text-text focus-visible:rounded-full',
    ...more,
  )

/** Measures 44 px. Its name is also its tooltip. */
export function IconButton({ label, className, ...rest }: ComponentProps<'button'> & { label: string }) {
  return <button type="button" {...rest} aria-label={label} className={round(className)} />
}

export function IconLink({ label, className, ...rest }: LinkProps & { label: string }) {
  return <Link {...rest} aria-label={label} className={round(className)} />
}
