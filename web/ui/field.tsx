import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'

type Control = { id: string; 'aria-invalid': boolean | undefined; 'aria-describedby': string | undefined }

type FieldProps = {
  label: string
  hint?: string
  error?: string
  /** The language of the error where it differs from the page's. */
  errorLang?: string
  counter?: { length: number; max: number }
  children: (control: Control) => ReactNode
}

/** A labelled control with its hint, its counter and, when it is wrong, the reason. */
export function Field({ label, hint, error, errorLang, counter, children }: FieldProps) {
  const id = useId()
  const described = classes(hint && `${id}-hint`, error && `${id}-error`) || undefined
  return (
    <div>
      <div className="mb-[7px] flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-label font-[620]">
          {label}
        </label>
        {counter && <Counter {...counter} />}
      </div>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described })}
      {error && (
        <p
          id={`${id}-error`}
          lang={errorLang}
          className="mt-[7px] flex items-start gap-1.5 text-label font-[550] text-danger"
        >
          <CircleAlert size={16} strokeWidth={2.1} className="mt-0.5 flex-none" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-meta text-text-2">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Seen from 80 % of the limit on; said aloud at 20 left and at the limit. */
function Counter({ length, max }: { length: number; max: number }) {
  const left = max - length
  const said =
    left < 0 ? `${-left} over the limit` : left === 0 || left === 20 ? `${left} characters left` : ''
  return (
    <>
      {length >= max * 0.8 && (
        <span
          aria-hidden="true"
          className={classes('text-meta tabular-nums', left < 0 ? 'font-[620] text-danger' : 'text-text-2')}
        >
          {length}/{max}
        </span>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  )
}

const box = classes(
  'w-full rounded-input border-[1.5px] border-border-control bg-surface text-body-l text-text',
  'focus:border-focus focus:outline-3 focus:-outline-offset-1 focus:rounded-input focus:outline-focus/22',
  'aria-invalid:border-danger',
  'disabled:border-transparent disabled:bg-sunken disabled:text-text-3 disabled:opacity-100',
)

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classes(box, 'min-h-13 px-4', className)} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea dir="auto" {...rest} className={classes(box, 'block px-4 py-3', className)} />
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select {...rest} className={classes(box, 'min-h-13 appearance-none pr-11 pl-4', className)} />
      <ChevronDown
        size={20}
        strokeWidth={2}
        className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-text-2"
      />
    </div>
  )
}

type PasswordProps = ComponentProps<'input'> & { labels?: { show: string; hide: string } }

export function PasswordInput({ labels, className, ...rest }: PasswordProps) {
  const [shown, setShown] = useState(false)
  const { show, hide } = labels ?? { show: 'Show password', hide: 'Hide password' }
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <TextInput {...rest} type={shown ? 'text' : 'password'} className={classes('pr-13', className)} />
      <IconButton
        label={shown ? hide : show}
        onClick={() => setShown(!shown)}
        className="absolute! inset-y-0 right-1.5 my-auto"
      >
        <Icon size={20} strokeWidth={2} />
      </IconButton>
    </div>
  )
}
