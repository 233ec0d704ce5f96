import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { CommunitySettings } from '#contract/community/community.ts'
import { houseRuleLimits } from '#contract/community/community-limits.ts'
import { updateCommunityEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { useOperatorMutation } from '#web/features/admin/use-operator-mutation.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import {
  ApplicationQuestionField,
  CommunityContactField,
  CommunityNameField,
  HouseRulesField,
  RegistrationChoice,
  type RegistrationWords,
  splitHouseRules,
} from './community-fields.tsx'
import { defaultApplicationQuestion } from './default-application-question.ts'
import { communityQuery, communitySettingsQuery } from './queries.ts'

const registrationWords: RegistrationWords = {
  invite: {
    label: en('By invitation', 'Por invitación'),
    text: en('New members need an invitation.', 'Para unirse hace falta una invitación.'),
  },
  approval: {
    label: en('With approval', 'Con aprobación'),
    text: en(
      'People apply, and an operator decides. With an invitation they join right away.',
      'Las personas envían una solicitud y una operadora decide. Con invitación se entra al momento.',
    ),
  },
  open: {
    label: en('Open', 'Abierta'),
    text: en('Anyone can sign up.', 'Cualquiera puede crear una cuenta.'),
  },
  closed: {
    label: en('Closed', 'Cerrada'),
    text: en('Closed to new members.', 'No se admiten cuentas nuevas.'),
  },
}

export function CommunitySettingsSection() {
  const query = useQuery(communitySettingsQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-96" />}>
      {(settings) => <CommunityForm settings={settings} />}
    </QueryView>
  )
}

function CommunityForm({ settings }: { settings: CommunitySettings }) {
  const client = useQueryClient()
  const [name, setName] = useState(settings.name)
  const [registration, setRegistration] = useState(settings.registration)
  const [question, setQuestion] = useState(settings.applicationQuestion ?? '')
  const [rules, setRules] = useState(settings.rules.join('\n'))
  const [contact, setContact] = useState(settings.contact ?? '')
  const isFixed = (field: CommunitySettings['fixed'][number]) => settings.fixed.includes(field)
  const saving = useOperatorMutation({
    mutationFn: () =>
      callApiOperation(updateCommunityEndpoint, {
        name,
        rules: splitHouseRules(rules),
        applicationQuestion: question,
        ...(isFixed('registration') ? {} : { registration }),
        ...(isFixed('contact') ? {} : { contact }),
      }),
    onSuccess: (saved) => {
      client.setQueryData(communitySettingsQuery.queryKey, saved)
      for (const { queryKey } of [communityQuery, signedInMemberQuery])
        void client.invalidateQueries({ queryKey })
      toast({ text: en('Saved.', 'Guardado.') })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }

  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <CommunityNameField label={en('Name', 'Nombre')} value={name} onChange={setName} />
        <div>
          <RegistrationChoice
            legend={en('Who can join', 'Quién puede unirse')}
            words={registrationWords}
            chosen={registration}
            disabled={isFixed('registration')}
            onChoose={setRegistration}
          />
          {isFixed('registration') && <FixedNote />}
        </div>
        {registration === 'approval' && (
          <ApplicationQuestionField
            label={en('Question for applicants', 'Pregunta para quienes envían una solicitud')}
            hint={en(
              'If empty, applicants get the question shown here, in the language of their page.',
              'Si la dejas vacía, se pregunta lo que ves aquí, en el idioma de la página.',
            )}
            placeholder={defaultApplicationQuestion}
            value={question}
            onChange={setQuestion}
          />
        )}
        <HouseRulesField
          label={en('House rules', 'Normas de la casa')}
          hint={en(
            `One per line, up to ${houseRuleLimits.count}. When they change, every member is asked to read them.`,
            `Una por línea, hasta ${houseRuleLimits.count}. Si cambian, se pide a cada integrante que las lea.`,
          )}
          value={rules}
          onChange={setRules}
        />
        <div>
          <CommunityContactField
            label={en('Contact', 'Contacto')}
            hint={en(
              'For example, your name and email. Anyone can see it.',
              'Por ejemplo, tu nombre y tu correo. Es público.',
            )}
            value={contact}
            disabled={isFixed('contact')}
            onChange={setContact}
          />
          {isFixed('contact') && <FixedNote />}
        </div>
        <RefusalAlert error={saving.error} />
        <Button type="submit" className="self-start" busy={saving.isPending}>
          {en('Save', 'Guardar')}
        </Button>
      </form>
      {saving.dialog}
    </>
  )
}

function FixedNote() {
  return (
    <p className="mt-2 flex items-center gap-2 text-label text-text-2">
      <Lock aria-hidden size={16} strokeWidth={2} className="flex-none" />
      {en('Set in the server’s configuration', 'Lo fija la configuración del servidor')}
    </p>
  )
}
