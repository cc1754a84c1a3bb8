import { checkDocument } from '../../sandbox/contract';

test('it is a valid OpenAPI 3.1 document', checkDocument);
