import { Hourglass, MailX, Unlink } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import {
  confirmApplicationEndpoint,
  removeApplicationByEmailLinkEndpoint,
} from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import {
  AuthField,
  AuthFormError,
  AuthFormIntro,
  AuthFormSwitchLink,
  passwordToggleLabels,
} from '#web/features/account/auth-form-parts.tsx'
import {
  type EmailLinkParameters,
  EmailLinkStatus,
  useEmailLinkAction,
  useEmailLinkParameters,
} from '#web/features/account/email-link-parts.tsx'
import { PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useCommunity } from './use-community.ts'

/**
 * Confirms the address of an application with the applicant's password, or removes the application. The owner of the
 * mailbox may be somebody else, so the page explains what happened.
 */
export function ConfirmApplicationScreen() {
  const proof = useEmailLinkParameters()
  const [result, setResult] = useState<'confirmed' | 'removed'>()
  const [community] = useCommunity()
  if (result === 'confirmed') return <Confirmed getsEmail={community?.mail === true} />
  if (result === 'removed') return <Removed />
  return proof ? <Form proof={proof} onDone={setResult} /> : <LinkOver />
}

type FormProps = { proof: EmailLinkParameters; onDone: (result: 'confirmed' | 'removed') => void }

function Form({ proof, onDone }: FormProps) {
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  const [removes, setRemoves] = useState(false)
  if (isOver) return <LinkOver />
  const isWrongPassword =
    error instanceof ApiError && (error.type === 'user_invalid_credentials' || error.field === 'password')

  function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setRemoves(false)
    run(async () => {
      await callApiOperation(confirmApplicationEndpoint, { ...proof, password })
      onDone('confirmed')
    })
  }

  function remove() {
    setRemoves(true)
    run(async () => {
      await callApiOperation(removeApplicationByEmailLinkEndpoint, proof)
      onDone('removed')
    })
  }

  return (
    <>
      <PageTitle title={es('Confirma tu solicitud', 'Confirm your application')} display />
      <AuthFormIntro>
        {es(
          'Alguien envió una solicitud para unirse con tu correo. Si fuiste tú, escribe la contraseña que elegiste.',
          'Someone applied to join with your email address. If it was you, enter the password you chose.',
        )}
      </AuthFormIntro>
      <form onSubmit={confirm} className="flex flex-col gap-4.5">
        <AuthField label={es('Contraseña de tu solicitud', 'The password of your application')}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              labels={passwordToggleLabels}
            />
          )}
        </AuthField>
        <AuthFormError text={isWrongPassword ? wrongPassword : failure} />
        <Button
          type="submit"
          size="lg"
          block
          busy={busy && !removes}
          disabled={busy && removes}
          busyLabel={es('Confirmando...', 'Confirming...')}
        >
          {es('Confirmar mi solicitud', 'Confirm my application')}
        </Button>
      </form>
      <section className="mt-7 border-t border-border pt-5">
        <h2 className="font-[650]">{es('¿No fuiste tú?', 'Was it not you?')}</h2>
        <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
          {es(
            'Nadie ha leído esa solicitud. Bórrala ahora, o se borrará sola en unos días. Podrás seguir usando tu correo para unirte.',
            'Nobody has read this application. Delete it now, or it will be deleted automatically in a few days. You can still use your email address to sign up.',
          )}
        </p>
        <Button
          kind="outline"
          block
          busy={busy && removes}
          disabled={busy && !removes}
          busyLabel={es('Borrando...', 'Deleting...')}
          onClick={remove}
        >
          {es('No fui yo: borrarla', 'This was not me: delete it')}
        </Button>
      </section>
    </>
  )
}

const wrongPassword = es(
  'No es la contraseña de esta solicitud. Si enviaste más de una, abre el enlace de la última.',
  'This is not the password of this application. If you sent more than one, open the link of the last one.',
)

const Confirmed = ({ getsEmail }: { getsEmail: boolean }) => (
  <EmailLinkStatus
    icon={Hourglass}
    color="success"
    title={es('Tu solicitud está en espera', 'Your application is waiting')}
    lead={
      getsEmail
        ? es(
            'Confirmaste tu correo. Te escribiremos cuando haya una respuesta.',
            'You confirmed your email. We’ll email you when there is an answer.',
          )
        : es(
            'Confirmaste tu correo. Entra con tu email y tu contraseña para saber la respuesta.',
            'You confirmed your email. Sign in with your email and your password to see the answer.',
          )
    }
  >
    <AuthFormSwitchLink question={es('¿Ya te respondieron?', 'Got an answer?')}>
      <Link to={screenPaths.signIn()}>{es('Entra', 'Sign in')}</Link>
    </AuthFormSwitchLink>
  </EmailLinkStatus>
)

const Removed = () => (
  <EmailLinkStatus
    icon={MailX}
    color="success"
    title={es('La solicitud se borró', 'The application was deleted')}
    lead={es(
      'Nadie la leyó. No tienes que hacer nada más.',
      'Nobody read it. You need not do anything else.',
    )}
  />
)

/** The link is used, expired or damaged, or the application no longer needs it. */
const LinkOver = () => (
  <EmailLinkStatus
    icon={Unlink}
    color="warning"
    title={es('Este enlace ya no vale.', 'This link is no longer valid.')}
    lead={es(
      'Si ya confirmaste tu solicitud, entra para saber cómo va. Si no, envía otra.',
      'If you already confirmed your application, sign in to see its status. Otherwise, send another.',
    )}
  >
    <ButtonLink to={screenPaths.signIn()} replace size="lg" block>
      {es('Entrar', 'Sign in')}
    </ButtonLink>
    <AuthFormSwitchLink>
      <Link to={screenPaths.signUp()} replace>
        {es('Enviar otra solicitud', 'Send another application')}
      </Link>
    </AuthFormSwitchLink>
  </EmailLinkStatus>
)
