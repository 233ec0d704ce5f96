/** What the sign-in and the sign-up form share. */
import type { ComponentProps, ReactNode } from 'react'
import { Field } from '#web/ui/field.tsx'

export const passwordLabels = { show: 'Mostrar contraseña', hide: 'Ocultar contraseña' }

/** The spec's sentences are English also on these Spanish pages (conflict C-01); our own are not. */
const spanish = /^(Máximo|Usa|Esta|Este) /

export function AuthField(props: ComponentProps<typeof Field>) {
  return <Field {...props} errorLang={spanish.test(props.error ?? '') ? undefined : 'en'} />
}

export function Lead({ children }: { children: string }) {
  return (
    <p className="mt-2 mb-[22px] max-w-[36ch] text-pretty text-name leading-6 text-text-2 md:mt-3 md:mb-8 md:text-lead md:leading-[1.625rem]">
      {children}
    </p>
  )
}

export function OtherWay({ question, children }: { question: string; children: ReactNode }) {
  return (
    <p className="mt-2.5 text-center text-text-2 [&_a]:inline-block [&_a]:px-1 [&_a]:py-3 [&_a]:font-[680] [&_a]:text-brand-text [&_a]:underline [&_a]:decoration-[1.5px] [&_a]:underline-offset-4">
      {question} {children}
    </p>
  )
}
