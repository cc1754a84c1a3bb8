import { readEventSubjectsOrEmptyList } from '../../../nodes/CometChat/webhookTrigger/events';
import { TRIGGERS } from '../../webhookTrigger/samples';

test.each(TRIGGERS)('%s without its entity counts as an event of unknown shape', (trigger) => {
	expect(readEventSubjectsOrEmptyList(trigger, { other: 1 }, () => true)).toEqual([]);
});
