import { es } from '#contract/language.ts'
import { WithdrawApplication } from './withdraw-application.tsx'

export function ApplicationPanel({
  message,
  declined,
  describeFailure,
}: {
  message: string
  declined: boolean
  describeFailure: (error: unknown) => string
}) {
  return (
    <section
      aria-label={es('Tu solicitud', 'Your application')}
      className="flex flex-col items-start gap-3 rounded-photo bg-brand-soft p-4 text-label font-[550] text-brand-text"
    >
      <p role="alert" className="text-pretty">
        {message}
      </p>
      <WithdrawApplication
        declined={declined}
        describeFailure={describeFailure}
        credentials={(button) => {
          const given = new FormData(button.form ?? undefined)
          return { email: String(given.get('email')), password: String(given.get('password')) }
        }}
      />
    </section>
  )
}
