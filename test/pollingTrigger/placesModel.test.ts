import { testPlaces } from './placesModel';

testPlaces(6);
