// Cases with a message that the clinic hasn't answered, oldest message first.
import { Empty, Heading, NextPage, Table } from '#http/html/parts.tsx'
import type { ConsoleHandler } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { medicationNames } from '../medications.ts'
import { CaseTabs } from './case-tabs.tsx'
import { Status } from './claim.tsx'
import { PatientCell } from './patient-cell.tsx'
import { TimeAndAge } from './time-and-age.tsx'

export const showMessages: ConsoleHandler = async (context, call) => {
  const starting_after = call.query.get('after') ?? undefined
  const found = await call.perform('listUnanswered', { id: null, query: { starting_after } })
  if (found.problem) return refused('Messages', found.problem)
  const { data, has_more } = found.value
  const next = has_more ? call.pathOf('messages', {}, { after: data.at(-1)?.message }) : null
  return {
    title: 'Unanswered messages',
    content: (
      <>
        <Heading title="Messages" />
        <CaseTabs call={call} current="messages" />
        <div id="results">
          {data.length === 0 ? (
            <Empty title="No unanswered messages">
              <p>
                A case appears here when its patient or integration sends a message, until someone
                replies, decides the case or marks that no reply is needed.
              </p>
            </Empty>
          ) : (
            <Table
              caption="Unanswered messages"
              head={['Patient', 'Requested', 'Status', 'Waiting since', 'From']}
              rows={data.map(one => [
                <PatientCell key="case" context={context} call={call} of={one} part="#messages" />,
                medicationNames(one.medications),
                <Status key="status" status={one.status} />,
                <TimeAndAge key="since" at={one.since} now={context.now()} />,
                one.integration.name,
              ])}
            />
          )}
          <NextPage next={next} first={starting_after ? call.pathOf('messages') : null} />
        </div>
      </>
    ),
  }
}
