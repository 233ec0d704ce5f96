import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { en } from '#contract/language.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'

type Control = { id: string; 'aria-invalid': boolean | undefined; 'aria-describedby': string | undefined }

type FieldProps = {
  label: string
  /** The control also gets `aria-required` if its role allows it. */
  required?: boolean
  hint?: string
  error?: string
  /** An explanation in plain words beside the technical error. */
  plainError?: string
  errorLang?: string
  counter?: ReactNode
  children: (control: Control) => ReactNode
}

export function LabelledFormField({
  label,
  required,
  hint,
  error,
  plainError,
  errorLang,
  counter,
  children,
}: FieldProps) {
  const id = useId()
  const described = cx(hint && `${id}-hint`, error && `${id}-error`) || undefined
  return (
    <div>
      <div className="mb-[7px] flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-label">
          <label htmlFor={id} className="font-[620]">
            {label}
          </label>
          {required && <span className="ml-1.5 text-meta text-text-2">{en('required', 'obligatorio')}</span>}
        </span>
        {counter}
      </div>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described })}
      {error && (
        <p
          id={`${id}-error`}
          lang={errorLang}
          className="mt-[7px] flex items-start gap-1.5 text-label font-[550] text-danger"
        >
          <CircleAlert size={16} strokeWidth={2.1} className="mt-0.5 flex-none" />
          {plainError ? (
            <span>
              {plainError} <span className="block text-meta font-normal text-text-2">{error}</span>
            </span>
          ) : (
            error
          )}
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

export const formControlClassName = cx(
  'w-full rounded-input border-[1.5px] border-border-control bg-surface text-body-l text-text',
  'focus:border-focus focus:outline-3 focus:-outline-offset-1 focus:rounded-input focus:outline-focus/22',
  'aria-invalid:border-danger',
  'disabled:border-transparent disabled:bg-sunken disabled:text-text-3 disabled:opacity-100',
)

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cx(formControlClassName, 'min-h-13 px-4', className)} />
}

type PasswordProps = ComponentProps<'input'> & { labels?: { show: string; hide: string } }

export function PasswordInput({ labels, className, ...rest }: PasswordProps) {
  const [shown, setShown] = useState(false)
  const { show, hide } = labels ?? {
    show: en('Show password', 'Mostrar contraseña'),
    hide: en('Hide password', 'Ocultar contraseña'),
  }
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <TextInput {...rest} type={shown ? 'text' : 'password'} className={cx('pr-13', className)} />
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
